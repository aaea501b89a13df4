line=$(head -n 1 "$name.jws")
raw() { tr '_-' '/+' | awk '{ while (length($0) % 4) $0 = $0 "="; print }' | openssl base64 -d -A; }
part() { printf '%s\n' "$line" | cut -d. -f"$1" | raw; }
part 1 | sed 's/.*"x5c": *\["\([^"]*\)".*/\1/' | openssl base64 -d -A > certificate.der
openssl x509 -inform der -in certificate.der -noout -pubkey > key.pem
hex=$(part 3 | od -An -v -tx1 | tr -d ' \n')
{ echo 'asn1=SEQUENCE:s'; echo '[s]'
  printf %s "$hex" | cut -c1-64 | sed 's/^/r=INTEGER:0x/'
  printf %s "$hex" | cut -c65-128 | sed 's/^/s=INTEGER:0x/'; } > signature.cnf
openssl asn1parse -genconf signature.cnf -noout -out signature.der
printf %s "$line" | cut -d. -f1,2 | tr -d '\n' > signed
openssl dgst -sha256 -verify key.pem -signature signature.der signed
part 2; echo
openssl x509 -inform der -in certificate.der -noout -subject -fingerprint -sha256
openssl dgst -sha256 "$name"

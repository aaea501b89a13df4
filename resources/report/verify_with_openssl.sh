line=$(cat "$name.1.jws")
raw() { tr '_-' '/+' | awk '{ while (length($0) % 4) $0 = $0 "="; print }' | openssl base64 -d -A; }
part() { printf '%s\n' "$line" | cut -d. -f"$1" | raw; }
part 1 | sed 's/.*"x5c": *\["\([^"]*\)".*/\1/' | openssl base64 -d -A > certificate.der
openssl x509 -inform der -in certificate.der -noout -pubkey > key.pem
alg=$(part 1 | sed 's/.*"alg": *"\([A-Z0-9]*\)".*/\1/')
case $alg in
  ES*) hex=$(part 3 | od -An -v -tx1 | tr -d ' \n'); half=$((${#hex} / 2))
    { echo 'asn1=SEQUENCE:s'; echo '[s]'
      printf %s "$hex" | cut -c1-$half | sed 's/^/r=INTEGER:0x/'
      printf %s "$hex" | cut -c$((half + 1))- | sed 's/^/s=INTEGER:0x/'; } > signature.cnf
    openssl asn1parse -genconf signature.cnf -noout -out signature.der; pad= ;;
  PS*) part 3 > signature.der; pad='-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest' ;;
  RS*) part 3 > signature.der; pad= ;;
esac
printf %s "$line" | cut -d. -f1,2 | tr -d '\n' > signed
openssl dgst -sha${alg#??} $pad -verify key.pem -signature signature.der signed
part 2; echo
openssl x509 -inform der -in certificate.der -noout -subject -fingerprint -sha256
openssl dgst -sha256 "$name.json"

"""Working parts of signing: identities, certificates, the two kinds of signature, and their verification."""

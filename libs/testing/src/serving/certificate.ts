import { generate } from 'selfsigned';

/** A certificate and its private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A self-signed certificate of a host name: who trusts it has to say so (`tls.setDefaultCACertificates`). */
export async function createCertificate(hostname: string): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: hostname }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: hostname }] }],
  });
  return { cert, key };
}

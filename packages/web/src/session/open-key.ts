import { openPortableKey, type PortableKey } from '@svc/auth'
import type { SigningKey } from '@svc/core/client'
import { moduleOfNode } from '../node-host.ts'

/** The key of a session. On Node it signs with Node's own crypto, in a third less time than with WebCrypto. */
export async function openKey(key: PortableKey): Promise<SigningKey> {
  const opened = await openPortableKey(key)
  const crypto = moduleOfNode('node:crypto')
  // An RSA signature takes so long that it would hold up other calls. WebCrypto signs beside them.
  if (!crypto || key.algorithm !== 'ES256') return opened
  const der = Buffer.from(key.privateKey, 'base64')
  const imported = crypto.createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const signing = { key: imported, dsaEncoding: 'ieee-p1363' } as const
  return { ...opened, sign: (bytes) => crypto.sign('sha256', bytes, signing) }
}

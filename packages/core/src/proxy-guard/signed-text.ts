/** The parts that a signature of the proxy covers. */
export interface SignedParts {
  readonly method: string
  /** Path and query exactly as on the request line. */
  readonly target: string
  readonly timestamp: string
  readonly nonce: string
  readonly bodyHash: string
  /** Empty if the proxy does not know it. */
  readonly address: string
}

/**
 * Each part is on a line of its own and can't contain a line break, so two requests never have the
 * same text. The first line keeps signatures of this kind apart from others.
 */
export function signedText(parts: SignedParts) {
  const { method, target, timestamp, nonce, bodyHash, address } = parts
  return ['svc-proxy-1', method, target, timestamp, nonce, bodyHash, address].join('\n')
}

export const proxyHeaders = {
  keyId: 'x-svc-proxy-key',
  timestamp: 'x-svc-proxy-timestamp',
  nonce: 'x-svc-proxy-nonce',
  address: 'x-svc-proxy-address',
  bodyHash: 'x-svc-proxy-body',
  signature: 'x-svc-proxy-signature',
} as const

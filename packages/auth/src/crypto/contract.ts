/** What a device key signs with. Later releases may have more: a client takes a value that it does not know. */
export const KeyAlgorithm = { ES256: 'ES256', RS256: 'RS256' } as const
export type KeyAlgorithm = (typeof KeyAlgorithm)[keyof typeof KeyAlgorithm]

/** What a device may call its key. */
export const keyIdPattern = /^[A-Za-z0-9._-]{8,64}$/

/**
 * What a device key signs with. Later releases may add others: a client accepts a value that it
 * does not know.
 */
export const KeyAlgorithm = { ES256: 'ES256', RS256: 'RS256' } as const
export type KeyAlgorithm = (typeof KeyAlgorithm)[keyof typeof KeyAlgorithm]

/** The form of a key id that a device chooses. */
export const keyIdPattern = /^[A-Za-z0-9._-]{8,64}$/

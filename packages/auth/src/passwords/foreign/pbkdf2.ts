import { pbkdf2Sync } from 'node:crypto'
import { fromBase64 } from '../stored-hash.ts'
import { type ForeignScheme, isUsualDigest } from './foreign-hash.ts'

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 }
type Algorithm = keyof typeof digestBytes

// passlib writes only the rounds, PHC strings `i=` and perhaps a length; without a name it is
// SHA-1.
const phc =
  /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d{1,9})(?:,l=\d{1,4})?\$([^$]*)\$([^$]+)$/
// The salt is text.
const django = /^pbkdf2_(sha1|sha256)\$(\d{1,9})\$([^$]+)\$([^$]+)$/

/**
 * Rounds of one block each: a million takes a third of a second of a core, and of SHA-512 a whole
 * one. Django uses a million of SHA-256 and more every year, Keycloak 210,000 of SHA-512.
 */
const mostRounds = { sha1: 4_000_000, sha256: 4_000_000, sha512: 2_000_000 }

/** passlib's and PHC strings, and Django's; Keycloak's, converted to the first form. */
export const pbkdf2Scheme: ForeignScheme = {
  name: 'pbkdf2',
  recognises: (stored) => /^(?:\$pbkdf2(?:-sha\d+)?|pbkdf2_sha\d+)\$/.test(stored),
  read(stored) {
    const isDjango = stored.startsWith('pbkdf2_')
    const [, named, rounds, saltText, tag] = (isDjango ? django : phc).exec(stored) ?? []
    if (saltText === undefined || tag === undefined) return 'hash_malformed'
    const salt = isDjango ? Buffer.from(saltText) : fromBase64(saltText)
    const digest = fromBase64(tag)
    const iterations = Number(rounds)
    if (!salt || !digest || !isUsualDigest(digest) || iterations < 1) return 'hash_malformed'
    const algorithm = (named ?? 'sha1') as Algorithm
    const blocks = Math.ceil(digest.length / digestBytes[algorithm])
    if (iterations * blocks > mostRounds[algorithm]) return 'hash_too_costly'
    const derive = (password: string) =>
      pbkdf2Sync(password, salt, iterations, digest.length, algorithm)
    return { digest, derive }
  },
}

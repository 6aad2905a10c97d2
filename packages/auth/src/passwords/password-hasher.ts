import { availableParallelism } from 'node:os'
import type { Log } from '@svc/core'
import { addressSubject } from '../limits/address-subject.ts'
import { hasArgon2 } from './argon2.ts'
import { WeakPasswordError } from './errors.ts'
import { createHashPlaces, type HashPlace } from './hash-places.ts'
import { createHashQueue } from './hash-queue.ts'
import type { PasswordForms } from './password-hash.ts'
import { normalisePassword } from './policy.ts'
import { createDummyHash, type HashScheme, needsRehash, parseOwnHash } from './stored-hash.ts'
import { storedHashProblem } from './stored-hash-problem.ts'

export interface PasswordHasherOptions {
  /** bcrypt's cost: 2 to this power. */
  rounds: number
  scheme?: HashScheme
  workers?: number
  queueLimit?: number
  log: Pick<Log, 'error'>
}

/** Hashes for one request: it has a place, or does not get this far. */
export interface PlacedHasher {
  hash(password: string): Promise<string>
  /** `null` stands for an account that does not exist or has no password: false, after as long as a wrong password takes. */
  verify(password: string, stored: string | null): Promise<boolean>
}

export interface PasswordHasher {
  /**
   * Runs with a place among those who may hash, or refuses at once with 503. `from` is the address that asks: among
   * several, none takes all places.
   */
  withPlace<Result>(
    from: string | null,
    run: (placed: PlacedHasher) => Promise<Result>,
  ): Promise<Result>
  hash(password: string, from?: string | null): Promise<string>
  verify(password: string, stored: string | null, from?: string | null): Promise<boolean>
  /** Whether a password that was just right should be hashed again and stored. */
  needsRehash(stored: string): boolean
  /** How many hash, or hold a place to. */
  readonly placesTaken: number
  close(): Promise<void>
}

/** Hashes and verifies passwords. What does not fit into its queue is refused at once, with 503. */
export function createPasswordHasher({
  rounds,
  scheme = 'bcrypt',
  workers = defaultWorkers(),
  // At 12 rounds a hash takes a quarter of a second: nobody waits longer than about four seconds.
  queueLimit = 16 * workers,
  log,
}: PasswordHasherOptions): PasswordHasher {
  if (scheme === 'argon2id' && !hasArgon2) {
    throw new Error('argon2id needs Node 24.7 or newer: use it, or hash with bcrypt.')
  }
  const target = { scheme, rounds }
  const dummy = createDummyHash(target)
  if (!parseOwnHash(dummy)) throw new RangeError('bcrypt takes 4 to 16 rounds.')
  const queue = createHashQueue({ target, workers, log })
  const places = createHashPlaces(workers + queueLimit)

  async function withPlace<Result>(
    from: string | null,
    run: (placed: PlacedHasher) => Promise<Result>,
  ) {
    const place = places.take(subjectOf(from))
    try {
      return await run(placedHasher(place))
    } finally {
      place.leave()
    }
  }

  const placedHasher = (place: HashPlace): PlacedHasher => ({
    async hash(password) {
      const forms = formsOf(password)
      if (!forms) throw new WeakPasswordError({ reasons: ['too_long'] })
      return queue.run({ kind: 'hash', forms }, place)
    },
    verify(password, stored) {
      const forms = formsOf(password)
      const verifiable = forms && stored !== null && isVerifiable(stored, log) ? stored : dummy
      return queue.run({ kind: 'verify', forms: forms ?? nobody, stored: verifiable }, place)
    },
  })

  return {
    withPlace,
    hash: (password, from = null) => withPlace(from, (placed) => placed.hash(password)),
    verify: (password, stored, from = null) =>
      withPlace(from, (placed) => placed.verify(password, stored)),
    needsRehash: (stored) => needsRehash(stored, target),
    get placesTaken() {
      return places.taken
    },
    close: queue.close,
  }
}

const subjectOf = (from: string | null) => (from ? addressSubject(from) : null)

const nobody: PasswordForms = { sent: '', normalised: '' }

function formsOf(password: string): PasswordForms | null {
  const normalised = normalisePassword(password)
  return normalised === null ? null : { sent: password, normalised }
}

function isVerifiable(stored: string, log: Pick<Log, 'error'>) {
  const problem = storedHashProblem(stored)
  if (problem) log.error({ problem }, 'A stored password has a form that this server cannot verify')
  return problem === null
}

/** A core stays with the event loop. More than four would only let a flood of sign-ins take a bigger machine. */
function defaultWorkers() {
  return Math.max(1, Math.min(4, availableParallelism() - 1))
}

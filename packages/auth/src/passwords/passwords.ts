import { coresOfProcess, databaseFailure, type Log } from '@svc/core'
import { argon2Problem, hasArgon2 } from './argon2.ts'
import { WeakPasswordError } from './errors.ts'
import { readForeignHash } from './foreign/foreign.ts'
import { type Asker, createHashLine } from './hash-line.ts'
import { createHashQueue } from './hash-queue.ts'
import type { PasswordForms } from './password-hash.ts'
import { normalisePassword } from './policy.ts'
import {
  createDummyHash,
  type HashProblem,
  type HashScheme,
  needsRehash,
  parseOwnHash,
} from './stored-hash.ts'

export { hasArgon2 } from './argon2.ts'
export { createBreachedPasswordLookup } from './breached-passwords.ts'
export { type FirebaseParameters, firebaseHash } from './foreign/foreign.ts'
export { checkPassword, createPasswordCheck, type PasswordCheck } from './policy.ts'
export { fromBase64, type HashProblem, toBase64 } from './stored-hash.ts'

interface PasswordHasherOptions {
  /** bcrypt's cost: 2 to this power. */
  rounds: number
  scheme?: HashScheme
  workers?: number
  /** How long a caller may wait for a turn before any work. */
  waitMillis?: number
  /** The nice value of its threads, 0 to 19. At 19, all other threads go first. */
  nice?: number
  log: Pick<Log, 'error'>
}

/** Hashes for one request whose turn has come. */
export interface PlacedHasher {
  hash(password: string): Promise<string>
  /**
   * `null` stands for an account that does not exist or has no password: false, after as long as a
   * wrong password takes.
   */
  verify(password: string, stored: string | null): Promise<boolean>
}

export interface PasswordHasher {
  /**
   * Waits for a turn and then runs, or refuses with 503 and keeps a place. By then nothing has been
   * done.
   */
  withPlace<Result>(asker: Asker, run: (placed: PlacedHasher) => Promise<Result>): Promise<Result>
  /**
   * Whether a request returns to a place that was kept for it here, after that limit had counted
   * it.
   */
  spendReturn(ticket: string | null, counted: string): boolean
  hash(password: string, asker?: Asker): Promise<string>
  verify(password: string, stored: string | null, asker?: Asker): Promise<boolean>
  /** Whether a correct password should be hashed again and stored. */
  needsRehash(stored: string): boolean
  /** Whether a thread is idle: then a hash that no response waits for delays nothing. */
  readonly isIdle: boolean
  /** How many have their turn at the same time. */
  readonly turns: number
  /** How many hash, or wait here for their turn. */
  readonly placesTaken: number
  /**
   * Refuses those who wait, and from then on those who would have to. Those whose turn has begun go
   * on.
   */
  endWaiting(): void
  close(): Promise<void>
}

/** Hashes and verifies passwords, for one caller after the other. */
export function createPasswordHasher({
  rounds,
  scheme = 'bcrypt',
  workers = defaultWorkers(),
  waitMillis = 5000,
  nice = 19,
  log,
}: PasswordHasherOptions): PasswordHasher {
  if (scheme === 'argon2id' && !hasArgon2) {
    throw new Error('argon2id needs Node 24.7 or newer: use it, or hash with bcrypt.')
  }
  const target = { scheme, rounds }
  const dummy = createDummyHash(target)
  if (!parseOwnHash(dummy)) throw new RangeError('bcrypt takes 4 to 16 rounds.')
  const queue = createHashQueue({ target, workers, nice, log })
  // While the threads are full, as many callers again look up what they need, so that no thread
  // waits for the database.
  const turns = 2 * queue.atOnce
  const line = createHashLine({ atOnce: turns, waitMillis, turnMillis: queue.turnMillis })

  async function withPlace<Result>(asker: Asker, run: (placed: PlacedHasher) => Promise<Result>) {
    const endTurn = await line.enter(asker)
    try {
      return await run(placedHasher(endTurn))
    } catch (error) {
      // If the database is down, those who wait would learn that only after as long again.
      if (databaseFailure(error)?.status === 503) line.sendAway()
      throw error
    } finally {
      endTurn()
    }
  }

  /** The turn ends with the first hash: the work after it needs no thread, or seldom one. */
  const placedHasher = (endTurn: () => void): PlacedHasher => ({
    async hash(password) {
      const forms = formsOf(password)
      if (!forms) throw new WeakPasswordError({ reasons: ['too_long'] })
      return queue.run({ kind: 'hash', forms }).finally(endTurn)
    },
    verify(password, stored) {
      const forms = formsOf(password)
      const verifiable = forms && stored !== null && isVerifiable(stored, log) ? stored : dummy
      const job = { kind: 'verify', forms: forms ?? nobody, stored: verifiable } as const
      return queue.run(job).finally(endTurn)
    },
  })

  return {
    withPlace,
    spendReturn: line.spendReturn,
    hash: (password, asker = ourselves) => withPlace(asker, (placed) => placed.hash(password)),
    verify: (password, stored, asker = ourselves) =>
      withPlace(asker, (placed) => placed.verify(password, stored)),
    needsRehash: (stored) => needsRehash(stored, target),
    get isIdle() {
      return line.taken < workers
    },
    turns,
    get placesTaken() {
      return line.taken
    },
    endWaiting: line.endWaiting,
    close() {
      line.close()
      return queue.close()
    },
  }
}

/** For hashing that no request has caused. */
const ourselves: Asker = { address: null }

const nobody: PasswordForms = { sent: '', normalised: '' }

function formsOf(password: string): PasswordForms | null {
  const normalised = normalisePassword(password)
  return normalised === null ? null : { sent: password, normalised }
}

function isVerifiable(stored: string, log: Pick<Log, 'error'>) {
  const problem = storedHashProblem(stored)
  if (problem)
    log.error({ problem }, 'a stored password hash has a format that this server cannot verify')
  return problem === null
}

/**
 * As many as there are cores: requests that need a core get it first. More than four would only let
 * a flood of sign-ins take a bigger machine.
 */
function defaultWorkers() {
  return Math.min(4, coresOfProcess())
}

/** Why a stored hash can't be used to sign in on this server; null if it can. */
export function storedHashProblem(stored: string): HashProblem | null {
  const own = parseOwnHash(stored)
  if (own) return own.scheme === 'argon2id' ? argon2Problem(own) : null
  const foreign = readForeignHash(stored)
  return typeof foreign === 'string' ? foreign : null
}

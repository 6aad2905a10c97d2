import { randomBytes } from 'node:crypto'
import bcrypt from 'bcrypt'
import { argon2 } from './argon2.ts'
import { argon2idCost, type HashTarget } from './stored-hash.ts'

/** Of this thread's own work where Node tells it: what else the machine does must not count. */
export function threadMillis() {
  const used = process.threadCpuUsage?.()
  return used ? (used.user + used.system) / 1000 : performance.now()
}

let usual: number | null = null

/** How much of what `run` takes is left since then, from 1 to 0. That is measured once in each thread. */
export function shareLeft(run: () => void, since: number) {
  const spent = threadMillis() - since
  usual ??= timeOf(run)
  return Math.max(0, 1 - spent / usual)
}

function timeOf(run: () => void) {
  const started = threadMillis()
  run()
  return threadMillis() - started
}

/**
 * Does that share of the work of a new hash. Work, because a processor is a percent faster or slower from one minute to
 * the next: waiting for a time that was measured once is told from a hash within a hundred attempts.
 */
export function spendShare(share: number, { scheme, rounds }: HashTarget) {
  if (share === 0) return
  if (scheme === 'bcrypt') spendRounds(share, rounds)
  else spendMemory(share)
}

const fewestRounds = 4

/** A round more doubles the work, so that any share is a sum of such powers, to the nearest. */
function spendRounds(share: number, rounds: number) {
  let left = 2 ** rounds * share + 2 ** (fewestRounds - 1)
  for (let each = rounds; each >= fewestRounds; each -= 1) {
    if (left < 2 ** each) continue
    bcrypt.hashSync('', each)
    left -= 2 ** each
  }
}

function spendMemory(share: number) {
  const memory = Math.max(8, Math.round(argon2idCost.memory * share))
  const nonce = randomBytes(16)
  argon2('argon2id', { ...argon2idCost, memory, message: '', nonce, tagLength: 32 })
}

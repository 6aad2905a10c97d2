import { scryptSync } from 'node:crypto'

/** RFC 7914: `blocks` is N, `blockSize` r and `lanes` p. */
export interface ScryptCost {
  blocks: number
  blockSize: number
  lanes: number
}

interface ScryptInput extends ScryptCost {
  salt: Buffer
  length: number
}

/** 256 MiB at 128 bytes each, which is twice what OWASP asks for. */
const mostBlocks = 2 ** 21
/** Four times what OWASP asks for: about two seconds. */
const mostWork = 2 ** 22

export function scryptProblem({ blocks, blockSize, lanes }: ScryptCost) {
  const isPower = Number.isSafeInteger(blocks) && Number.isInteger(Math.log2(blocks))
  if (!isPower || blocks < 2 || blockSize < 1 || lanes < 1) return 'hash_malformed' as const
  const isCostly = blocks * blockSize > mostBlocks || blocks * blockSize * lanes > mostWork
  return isCostly ? ('hash_too_costly' as const) : null
}

export function scrypt(password: string, input: ScryptInput) {
  const { blocks: N, blockSize: r, lanes: p, salt, length } = input
  // What OpenSSL counts: the blocks, those of the lanes, and some more.
  return scryptSync(password, salt, length, { N, r, p, maxmem: 128 * r * (N + p + 2) + 2 ** 20 })
}

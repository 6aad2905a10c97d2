import { fromBase64 } from '../base64.ts'
import { type ForeignHash, type ForeignScheme, isUsualDigest } from './foreign-hash.ts'
import { type ScryptCost, scrypt, scryptProblem } from './scrypt-cost.ts'

const phc = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,5}),p=(\d{1,5})\$([^$]+)\$([^$]+)$/
// The salt is text and stands between N and r.
const django = /^scrypt\$(\d{1,9})\$([^$]+)\$(\d{1,5})\$(\d{1,5})\$([^$]+)$/

/** PHC strings, as passlib writes them too, and Django's. */
export const scryptScheme: ForeignScheme = {
  name: 'scrypt',
  recognises: (stored) => /^\$?scrypt\$/.test(stored),
  read(stored) {
    const [, logOfBlocks, r, p, salt = '', digest = ''] = phc.exec(stored) ?? []
    if (logOfBlocks)
      return hashOf(costOf(2 ** Number(logOfBlocks), r, p), fromBase64(salt), fromBase64(digest))
    const [, blocks, text = '', blockSize, lanes, tag = ''] = django.exec(stored) ?? []
    return hashOf(costOf(Number(blocks), blockSize, lanes), Buffer.from(text), fromBase64(tag))
  },
}

function costOf(blocks: number, blockSize = '', lanes = '') {
  return { blocks, blockSize: Number(blockSize), lanes: Number(lanes) }
}

function hashOf(
  cost: ScryptCost,
  salt: Buffer | null,
  digest: Buffer | null,
): ReturnType<ForeignScheme['read']> {
  if (!salt || !digest || !isUsualDigest(digest)) return 'hash_malformed'
  const input = { ...cost, salt, length: digest.length }
  const hash: ForeignHash = { digest, derive: (password) => scrypt(password, input) }
  return scryptProblem(cost) ?? hash
}

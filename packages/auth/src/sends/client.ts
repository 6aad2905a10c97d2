import { ProofOfWorkRequiredError, type Work } from './errors.ts'

/**
 * Sends. If the server asks for a proof of work, does the work and sends again:
 * `withWork((work) => authApi.sendVerificationCode.call({ body: { ...body, ...work } }))`.
 */
export async function withWork<Answer>(
  send: (found: { work?: string }) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send({})
  } catch (error) {
    if (!(error instanceof ProofOfWorkRequiredError)) throw error
    return send({ work: await findWork(error) })
  }
}

// The platform hashes outside the page's thread. A batch is large enough to outweigh the calls, and
// small enough that the page can render between two batches.
const atOnce = 512

/**
 * Counts up until the hash of challenge and number begins with the required number of zero bits.
 */
async function findWork({ challenge, bits }: Work) {
  const encoder = new TextEncoder()
  for (let first = 0; ; first += atOnce) {
    const tried = Array.from({ length: atOnce }, (_, at) => `${challenge}.${first + at}`)
    const hashes = await Promise.all(
      tried.map((text) => crypto.subtle.digest('SHA-256', encoder.encode(text))),
    )
    const at = hashes.findIndex((hash) => leadingZeros(new Uint8Array(hash)) >= bits)
    if (at !== -1) return tried[at] as string
  }
}

/** How many zero bits a hash begins with. */
export function leadingZeros(hash: Uint8Array) {
  const at = hash.findIndex((byte) => byte !== 0)
  return at === -1 ? hash.length * 8 : at * 8 + Math.clz32(hash[at] as number) - 24
}

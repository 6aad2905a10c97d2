import { ProofOfWorkRequiredError, type Work } from './errors.ts'
import { leadingZeros } from './leading-zeros.ts'

/**
 * Sends, and where the server asks for a proof of work does that and sends again:
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

// The platform hashes outside of the page's own thread: enough at once that the way there does not count, and few
// enough that the page can draw between.
const atOnce = 512

/** Counts up until the hash of challenge and number begins with as many zeros as are asked for. */
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

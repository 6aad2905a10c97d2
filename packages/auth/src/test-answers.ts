import type { TestAnswer } from './testing.ts'

/** What a refusal has, for `toMatchObject`. */
export const refused = (status: number, code: string) => ({ status, body: { error: { code } } })

/** The body of what must have been done. */
export async function done(asked: Promise<TestAnswer>) {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

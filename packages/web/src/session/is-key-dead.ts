// What the API says of the key itself. A wrong password is 401 too, and so is a clock that is off.
const deadly = new Set(['UnauthorizedError', 'KeyExpiredError'])

/** Whether the API takes the session's key no more. */
export async function isKeyDead(answer: Response) {
  if (answer.status !== 401) return false
  try {
    const body: { __type?: unknown } | null = await answer.clone().json()
    return deadly.has(String(body?.__type))
  } catch {
    return false
  }
}

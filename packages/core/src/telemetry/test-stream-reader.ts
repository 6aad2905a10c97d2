/** Opens an event stream and answers what has come over it so far. */
export async function readStream(url: string) {
  const leaving = new AbortController()
  const answer = await fetch(`${url}/events/stream?events=placed,packed`, {
    signal: leaving.signal,
  })
  let text = ''
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString()
  })().catch(() => {})
  return {
    text: () => text,
    async leave() {
      leaving.abort()
      await reading
    },
  }
}

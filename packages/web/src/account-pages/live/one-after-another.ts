export type Read = () => Promise<unknown>

/** What is asked for while it reads is read afterwards: the answer under way may be older. */
export function oneAfterAnother(read: Read) {
  let isReading = false
  let isAsked = false
  async function readAll() {
    isReading = true
    while (isAsked) {
      isAsked = false
      await read()
    }
    isReading = false
  }
  return () => {
    isAsked = true
    if (!isReading) void readAll()
  }
}

import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

interface Asked {
  input?: NodeJS.ReadableStream & { isTTY?: boolean }
  output?: NodeJS.WritableStream
}

/** Asks for what must not be seen, and shows nothing of what is typed. Null where there is no terminal to ask on. */
export async function askSecret(
  question: string,
  { input = process.stdin, output = process.stderr }: Asked = {},
): Promise<string | null> {
  if (!input.isTTY) return null
  output.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input, output: silent, terminal: true })
  // Ctrl-C and Ctrl-D give nothing.
  const closed = new Promise<null>((resolve) => terminal.once('close', () => resolve(null)))
  const answer = await Promise.race([terminal.question(''), closed])
  terminal.close()
  output.write('\n')
  return answer
}

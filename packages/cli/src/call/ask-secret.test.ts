import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { askSecret } from './ask-secret.ts'

function terminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const output = new PassThrough()
  let shown = ''
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
  })
  return { input, output, shown: () => shown }
}

it('asks, and shows nothing of what is typed', async () => {
  const { input, output, shown } = terminal()
  const answer = askSecret('Your password: ', { input, output })
  input.write('a secret\r')
  expect(await answer).toBe('a secret')
  expect(shown()).toBe('Your password: \n')
})

it('gives nothing where the user breaks it off, or where there is no terminal', async () => {
  const { input, output } = terminal()
  const answer = askSecret('Your password: ', { input, output })
  input.write('\u0003')
  expect(await answer).toBeNull()
  expect(await askSecret('Your password: ', { input: new PassThrough(), output })).toBeNull()
})

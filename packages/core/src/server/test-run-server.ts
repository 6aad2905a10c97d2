import { spawn } from 'node:child_process'
import { once } from 'node:events'

const core = new URL('../index.ts', import.meta.url).href

/** The program that every application's main file is, with what a test adds to it. */
export function runProgram(env: Record<string, string>, definition = 'defineServer()') {
  const source = `
    import { defineRouter, defineServer, route, runServer } from '${core}'
    await runServer(${definition})
  `
  const child = spawn(
    process.execPath,
    ['--conditions=svc-source', '--input-type=module', '--eval', source],
    { env: { PATH: process.env.PATH, SVC_PORT: '0', ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  const url = async () => {
    while (!output.includes('listening')) await once(child.stdout, 'data')
    const line = output.split('\n').find((each) => each.includes('listening'))
    return (JSON.parse(line ?? '') as { url: string }).url
  }
  return { child, ended, url, errors: () => errors }
}

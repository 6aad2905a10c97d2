import { type SpawnOptions, spawn } from 'node:child_process'

/** Runs a program to its end and keeps what it prints. A program that does not start has failed. */
export function runCommand(
  [program, ...args]: [program: string, ...args: string[]],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'signal'> = {},
) {
  const child = spawn(program, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise<{ passed: boolean; output: string }>((resolve) => {
    child.on('error', ({ message }) =>
      resolve({ passed: false, output: `${program}: ${message}\n` }),
    )
    child.on('close', (code) => resolve({ passed: code === 0, output }))
  })
}

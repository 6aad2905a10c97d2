import { type SpawnOptions, spawn } from 'node:child_process'

interface CommandOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'signal'> {
  /** Hears what it prints as a result, as soon as it prints it. */
  onResult?: (text: string) => void
}

/**
 * Runs a program to its end and keeps what it prints; `errors` is what is no result. A program that does not start has
 * failed.
 */
export function runCommand(
  [program, ...args]: [program: string, ...args: string[]],
  { onResult, ...options }: CommandOptions = {},
) {
  const child = spawn(program, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    onResult?.(chunk.toString())
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    errors += chunk.toString()
  })
  return new Promise<{ passed: boolean; output: string; errors: string }>((resolve) => {
    child.on('error', ({ message }) => {
      const said = `${program}: ${message}\n`
      resolve({ passed: false, output: said, errors: said })
    })
    child.on('close', (code) => resolve({ passed: code === 0, output, errors }))
  })
}

import { type SpawnOptions, spawn } from 'node:child_process'

interface CommandOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'signal'> {
  /** Gets each result as soon as it is printed. */
  onResult?: (text: string) => void
}

/**
 * Runs a program to its end and returns its output: `errors` is the standard error. A program that
 * can't be started counts as failed.
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

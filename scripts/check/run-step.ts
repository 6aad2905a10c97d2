import { runCommand } from '../../packages/cli/src/run/run-command.ts'

export interface Step {
  name: string
  commands: [program: string, ...args: string[]][]
}

/** Runs a step's commands in turn, until one fails, and keeps their output. */
export async function runStep({ name, commands }: Step) {
  const began = performance.now()
  let output = ''
  let passed = true
  for (const command of commands) {
    const result = await runCommand(command)
    output += result.output
    passed = result.passed
    if (!passed) break
  }
  return { name, passed, output, seconds: (performance.now() - began) / 1000 }
}

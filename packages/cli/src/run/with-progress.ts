import { CommandFailure } from '../failure.ts'

/** Says every five seconds that the work is still running. */
export async function withProgress<Result>(what: string, work: Promise<Result>) {
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  const progress = setInterval(() => console.log(`${what} … ${seconds()} s`), 5_000)
  try {
    return await work
  } finally {
    clearInterval(progress)
  }
}

/** Waits for a build, and shows its output if it failed. */
export async function build(what: string, work: Promise<{ passed: boolean; output: string }>) {
  const { passed, output } = await withProgress(`Building ${what}`, work)
  if (passed) return
  throw new CommandFailure(`${output.trim()}\n\nBuilding ${what} failed. Its output is above.`)
}

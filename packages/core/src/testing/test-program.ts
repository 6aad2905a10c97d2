import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Starts a server of the machine, and waits until it listens on the port. */
export async function launchProgram(path: string, given: readonly string[], port: number) {
  const program = spawn(path, given, { stdio: 'ignore' })
  // A test run that is interrupted leaves no server behind.
  const killer = () => program.kill('SIGKILL')
  process.once('exit', killer)
  program.once('exit', () => process.off('exit', killer))
  while (!(await isListening(port))) await wait(20)
  return program
}

function isListening(port: number) {
  return new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** At once, as after a crash. */
export async function killProgram(program: ChildProcess) {
  if (program.exitCode !== null || program.signalCode !== null) return
  const ended = once(program, 'exit')
  program.kill('SIGKILL')
  await ended
}

/** A problem that the user can fix: the message says how, and no stack is shown. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure'
  readonly exitCode: number = 1
}

/** The command line itself is wrong. */
export class UsageError extends CommandFailure {
  override readonly name = 'UsageError'
  override readonly exitCode = 2
}

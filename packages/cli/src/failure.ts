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

/** What the API refused. By its shape: the application may have another copy of @svc/core than this command. */
export interface Refusal extends Error {
  readonly status: number
  readonly requestId?: string
  readonly fields?: readonly { path: string; message: string }[]
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && typeof (error as Partial<Refusal>).status === 'number'
}

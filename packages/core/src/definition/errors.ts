/**
 * Every problem of the application's declarations, such as a route that asks for an unknown
 * permission.
 */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `The server definition has problems:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    )
    this.problems = problems
  }
}

/** Reads one variable's text; what it returns as `problem` is put beside the name. The text itself is never shown. */
export type Variable<Value> = (text: string | undefined) => { value: Value } | { problem: string }

type Variables = Record<string, Variable<unknown>>

/** The values that a set of variables gives. */
export type Environment<Set extends Variables> = {
  [Name in keyof Set]: Set[Name] extends Variable<infer Value> ? Value : never
}

export type EnvironmentSource = Record<string, string | undefined>

/** Every problem of the environment at once: nobody should fix one, start again and meet the next. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The environment is not right:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** The one place that reads the process's own variables. */
export function processEnvironment(): EnvironmentSource {
  return process.env
}

/** Declares the variables a package reads. The reader throws one error that names every problem. */
export function defineEnv<Set extends Variables>(variables: Set) {
  return (source: EnvironmentSource = processEnvironment()): Environment<Set> => {
    const problems: string[] = []
    const values = Object.entries(variables).map(([name, variable]) => {
      // An empty variable is how shells and compose files write "not set".
      const result = variable(source[name] || undefined)
      if ('problem' in result) problems.push(`${name} ${result.problem}`)
      return [name, 'value' in result ? result.value : undefined]
    })
    if (problems.length > 0) throw new EnvironmentError(problems)
    return Object.fromEntries(values)
  }
}

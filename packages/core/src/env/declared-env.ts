import type { EnvironmentSource } from './define-env.ts'

/** Reads the variables of an application, as what `defineEnv` returns does. */
export type EnvReader<Env extends object = object> = (source: EnvironmentSource) => Env

/** Answers the variables of a reader that the server was given, as they were when it started. */
export type DeclaredEnv = <Env extends object>(reader: EnvReader<Env>) => Readonly<Env>

/** Reads each once. A reader that a start did not check would fail in the middle of a request, so it is refused. */
export function declaredEnv(readers: readonly EnvReader[], source: EnvironmentSource): DeclaredEnv {
  const values = new Map<EnvReader, object>(readers.map((reader) => [reader, reader(source)]))
  return <Env extends object>(reader: EnvReader<Env>) => {
    const found = values.get(reader)
    // What is kept for a reader is what it returned.
    if (found) return found as Env
    throw new Error('This server was not given these variables: pass their reader to its .env().')
  }
}

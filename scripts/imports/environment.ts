import type { SourceFile } from './read-source.ts'
import type { Refusal } from './refusal.ts'

const mayRead = [
  /(^|\/)env\//,
  /env\.ts$/,
  /^scripts\//,
  /^bench\//,
  /\.config\.[cm]?[jt]s$/,
  // NEXT_RUNTIME: Next replaces this expression to leave code out of a build.
  /(^|\/)instrumentation\.ts$/,
]

/** Variables must be read, checked and documented in one file per package. */
export function environment(files: SourceFile[]): Refusal[] {
  return files
    .filter(({ path, isTest }) => !isTest && !mayRead.some((pattern) => pattern.test(path)))
    .flatMap(({ path, environmentReads }) =>
      environmentReads.map((line) => ({
        path,
        line,
        rule: 'process.env is read in env.ts and env/ only: declare the variable there',
      })),
    )
}

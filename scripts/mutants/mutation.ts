/** One guard of packages/auth taken away, and the test that must notice. */
export interface Mutation {
  name: string
  /** Below packages/auth/src. */
  file: string
  /** Occurs once in the file. */
  find: string
  replace: string
  /** Below packages/auth/src: `trials/races` unless set. */
  folder?: string
  /** A file there. */
  test: string
  /** Part of the test's title, as a regular expression. */
  title: string
}

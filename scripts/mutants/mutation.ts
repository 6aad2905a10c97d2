/** A guard that is removed, and the test that must notice. */
export interface Mutation {
  name: string
  /** The package it is in: auth unless set. */
  of?: 'auth' | 'core' | 'mcp' | 'organizations'
  /** Below the package's `src`. */
  file: string
  /** Occurs once in the file. */
  find: string
  replace: string
  /** The package of the test, if it is another one. */
  testedIn?: 'auth' | 'core' | 'mcp' | 'organizations'
  /** Below the package's `src`: `trials/races` unless set. */
  folder?: string
  /** A file there. */
  test: string
  /** Part of the test's title, as a regular expression. */
  title: string
  /** The test builds its title from parts, so the whole title is not in the file. */
  isTitleMade?: true
}

/** One guard taken away, and the test that must notice. */
export interface Mutation {
  name: string
  /** The package it is in: auth unless set. */
  of?: 'auth' | 'core'
  /** Below the package's `src`. */
  file: string
  /** Occurs once in the file. */
  find: string
  replace: string
  /** Below the package's `src`: `trials/races` unless set. */
  folder?: string
  /** A file there. */
  test: string
  /** Part of the test's title, as a regular expression. */
  title: string
  /** The test puts its title together, so that it is not in the file as it is. */
  isTitleMade?: true
}

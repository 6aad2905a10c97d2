/** Where the parts of an application are. Every path counts from its root, where all of them are started. */
export interface Layout {
  /** The file that starts the server. */
  main: string
  /** The folder of the web app; null where there is none. */
  web: string | null
  /** The file of variables that people write by hand. */
  variables: string
  /** The files and folders that a build of the web app is made of. */
  inputs: readonly string[]
}

export type WithWeb = Layout & { web: string }

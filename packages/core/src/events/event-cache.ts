type Leave = () => unknown

/** Carries events between instances. Our `Cache` does, and an application may bring its own. */
export interface EventCache {
  /** Returns how many subscribers it reached, if that is known. */
  // oxlint-disable-next-line typescript/no-invalid-void-type -- most libraries answer nothing
  publish(channel: string, message: string): Promise<number | void>
  // oxlint-disable-next-line typescript/no-invalid-void-type -- as above
  subscribe(channel: string, handler: (message: string) => void): Promise<Leave | void>
  /** False while messages that are published now would not arrive here. */
  readonly isListening?: boolean
}

export interface Explanation {
  seen: string
  why: string
  /** Lines that begin with two spaces are to be copied. */
  fix: readonly string[]
}

/** What one look at a deployment has shown. */
export type Finding =
  | { mark: 'right'; title: string; note?: string }
  | ({ mark: 'doubtful' | 'wrong'; title: string } & Explanation)

export function right(title: string, note?: string): Finding {
  return { mark: 'right', title, ...(note !== undefined && { note }) }
}

/** May be meant, and does not keep anybody from signing in by itself. */
export function doubtful(title: string, explanation: Explanation): Finding {
  return { mark: 'doubtful', title, ...explanation }
}

export function wrong(title: string, explanation: Explanation): Finding {
  return { mark: 'wrong', title, ...explanation }
}

/** A broken rule: where, and the rule in words. */
export interface Refusal {
  path: string
  line: number
  rule: string
}

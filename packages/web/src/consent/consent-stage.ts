import type { ConsentFacts } from './consent-facts.ts'

interface Asked extends ConsentFacts {
  /** HTML that has to stand, as it is, in the form that the buttons send. They are `decision` with `allow` and `deny`. */
  readonly hiddenFields: string
}

/** What the page has to show. */
export type ConsentStage =
  | (Asked & {
      readonly name: 'consent'
      /** A form was sent that this page had not drawn for the session: nothing was decided. */
      readonly isOnceMore: boolean
    })
  | (Asked & {
      /** To allow it takes the second factor: the form has to have a field `factor`, for a code of an app or for recovery. */
      readonly name: 'step-up'
      readonly problem?: FactorProblem
    })
  | (Asked & {
      /**
       * Allowing takes a fresh proof: the form must have a field `password`, or a button `decision` with the value
       * `code` that sends a code, and after that a field `code`.
       */
      readonly name: 'proof'
      readonly hasPassword: boolean
      /** Where a code would be sent; null if the account has no proven address. */
      readonly codeTarget: string | null
      readonly isCodeSent: boolean
      readonly problem?: ProofProblem
    })
  | { readonly name: 'invalid'; readonly description: string }

export type FactorProblem = 'wrong' | 'too many' | 'no code'
export type ProofProblem = 'wrong password' | 'wrong code' | 'too many'

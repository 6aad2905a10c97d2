import type { ConsentFacts } from './consent-facts.ts'

interface Asked extends ConsentFacts {
  /**
   * HTML that must be, unchanged, in the form with the buttons. They are `decision` with `allow`
   * and `deny`. At `consent`, the form can have a field `owner` with the id of one of `owners`.
   */
  readonly hiddenFields: string
}

/** What the page must show. */
export type ConsentStage =
  | (Asked & {
      readonly name: 'consent'
      /** The form was not drawn by this page for this session: nothing was decided. */
      readonly isOnceMore: boolean
    })
  | (Asked & {
      /**
       * To allow it, the user must prove the second factor: the form needs a field `factor`, for a
       * code of an app or a recovery code.
       */
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

import { verificationCode } from './verification-code.ts'

/** Every template there is. An application may put its own in the place of any. */
export const builtInTemplates = {
  'verification-code': verificationCode,
}

export type Templates = typeof builtInTemplates
export type TemplateName = keyof Templates
export type FactsOf<Name extends TemplateName> = Parameters<Templates[Name]>[0]

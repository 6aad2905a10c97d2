/** What one template says, in one language. */
export interface Content {
  subject: string
  text: string
  html?: string
  /** What a text message says, where `text` is too long for one. */
  short?: string
}

/** `locale` is a language tag of BCP 47, such as `ko` or `en-GB`. */
export type Template<Facts> = (facts: Facts, locale: string) => Content

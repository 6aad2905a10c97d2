/** The text of one template, in one language. */
export interface Content {
  subject: string
  text: string
  html?: string
  /** The text of a text message, if `text` is too long for one. */
  short?: string
}

/** `locale` is a language tag of BCP 47, such as `ko` or `en-GB`. */
export type Template<Facts> = (facts: Facts, locale: string) => Content

import { Html } from '@svc/core/html'

/** A part of a mail: its markup, and what it says in the text that is sent beside it. */
export class Piece extends Html {
  readonly text: string

  constructor(markup: Html, text: string) {
    super(markup.toString())
    this.text = text
  }
}

/** Markup that an application wrote by itself is in the page alone. */
export function textOf(part: Html) {
  return part instanceof Piece ? part.text : ''
}

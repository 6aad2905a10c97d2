import { describe, expect, it } from 'vitest'
import { ValidationError } from './contract.ts'

const field = (name: string) => ({ path: `body.${name}`, message: 'must be string' })

describe('a ValidationError', () => {
  it('names the fields when it is printed', () => {
    const fields = [field('title'), { path: 'body.language', message: 'Choose another one.' }]
    expect(`${new ValidationError({ fields })}`).toBe(
      'ValidationError: The request is not valid: body.title must be string; body.language Choose another one.',
    )
  })

  it('names three, and counts the others', () => {
    const fields = ['one', 'two', 'three', 'four', 'five'].map(field)
    expect(new ValidationError({ fields }).message).toMatch(
      /body\.three must be string; and 2 more\.$/,
    )
  })

  it('says what it is given to say instead', () => {
    expect(new ValidationError({ fields: [], message: 'Enter a name.' }).message).toBe(
      'Enter a name.',
    )
  })

  it.each([7, 'text', {}, [7n], [null], [{ path: 7, message: 'no' }]])(
    'is made from any `fields` of a response: %o',
    (fields) => {
      expect(new ValidationError({ fields: fields as never }).message).toBe(
        'The request is not valid.',
      )
    },
  )
})

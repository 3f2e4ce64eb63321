export * from '../kit/accounts.ts'

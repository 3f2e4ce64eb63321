export * from '../kit/client.ts'

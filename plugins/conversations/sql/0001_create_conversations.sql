-- Submitted conversations, the progress of extracting facts from them, and the memories that resulted.
-- Locks: nothing that exists before. Recovery: the file runs in one transaction; fix the cause and start again.

create table conversations.conversation (
  workspace_id uuid not null,
  id uuid not null,
  user_id text not null,
  agent_id text,
  session_id text,
  priority text not null,
  categories text[] not null,
  metadata jsonb,
  -- SHA-256 of the user, agent, session and messages: the same ones sent again are this conversation.
  content_hash bytea not null,
  messages integer not null,
  status text not null,
  -- The memories of all turns below it are stored.
  next_turn integer not null default 0,
  -- `local`, the id of a model, or both: the extractors that contributed facts.
  extracted_by text[] not null default '{}',
  error text,
  -- When it last progressed. A conversation without progress for long is queued again.
  progress_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint conversation_pk primary key (workspace_id, id),
  constraint conversation_content_unique unique (workspace_id, content_hash),
  constraint conversation_status_check check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'))
);

-- Finds those that ended long ago, to forget the ones without memories.
create index conversation_ended on conversations.conversation (workspace_id, updated_at) where status in ('COMPLETED', 'FAILED');

-- Sweeps across workspaces find unfinished conversations. The index holds nothing else.
create index conversation_unfinished on conversations.conversation (progress_at) where status in ('PENDING', 'PROCESSING');

select core.protect_tenant_table('conversations.conversation');

-- Messages, kept only until the conversation is finished. Messages of the system and of tools are never stored.
create table conversations.message (
  workspace_id uuid not null,
  conversation_id uuid not null,
  -- Its place among the messages sent, from 0.
  turn integer not null,
  role text not null,
  content text not null,
  said_at timestamptz(3) not null,
  constraint message_pk primary key (workspace_id, conversation_id, turn),
  constraint message_role_check check (role in ('user', 'assistant'))
);

select core.protect_tenant_table('conversations.message');

-- The memories of a conversation: those it created, and existing ones with the same text.
create table conversations.result (
  workspace_id uuid not null,
  conversation_id uuid not null,
  memory_id uuid not null,
  turn integer not null,
  -- Its place among the facts of its turn.
  ordinal integer not null,
  created boolean not null,
  constraint result_pk primary key (workspace_id, conversation_id, memory_id)
);

-- The deletion of a memory removes it here too.
create index result_of_memory on conversations.result (workspace_id, memory_id);

select core.protect_tenant_table('conversations.result');

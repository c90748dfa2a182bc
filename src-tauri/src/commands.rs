//! All commands that a window can call, listed in `commands!` below.
//!
//! Each command is one entry: name, arguments, result, and the method of [`desktop::Desktop`] that
//! implements it. `window` has the commands about the window itself, `agents` those about other
//! agents.

pub(crate) mod agents;
mod window;

use desktop::wire::*;
use tauri::State;
use tauri_specta::{Builder, ErrorHandlingMode, collect_commands, collect_events};
use workbench::UndoReport;

use crate::events::{DeskEvent, ShellEvent};
use crate::host::{Answer, Host};

/// Generates a command from each entry, and the list of all commands.
macro_rules! commands {
    (
        window: [$($window:ident),* $(,)?]
        agents: [$($agents:ident),* $(,)?]
        workbench: [$(
            $(#[$doc:meta])*
            $name:ident($($argument:ident: $type:ty),*) -> $answer:ty = |$desktop:ident| $call:expr;
        )*]
    ) => {
        $(
            $(#[$doc])*
            #[tauri::command]
            #[specta::specta]
            #[allow(clippy::too_many_arguments, reason = "mirrors the method's arguments")]
            pub(crate) async fn $name(host: State<'_, Host>, $($argument: $type),*) -> Answer<$answer> {
                host.ask(move |$desktop| $call).await
            }
        )*

        /// The commands and events of this program, for the bindings.
        pub(crate) fn listed() -> Builder<tauri::Wry> {
            Builder::new()
                .commands(collect_commands![$(window::$window,)* $(agents::$agents,)* $($name),*])
                .events(collect_events![DeskEvent, ShellEvent])
                .error_handling(ErrorHandlingMode::Result)
                .dangerously_cast_bigints_to_number()
                .disable_serde_phases()
        }
    };
}

commands! {
    window: [
        start, save_place, window_info, take_target, new_window, set_title, set_zoom, close_window, answer_close,
        quit, pick_folder, pick_plan, open_link, show_in_folder, open_in_editor, export_html, report_fault,
    ]
    agents: [agents, try_agent, cancel_agent_trial]
    workbench: [
        /// Opens a folder as a workspace and starts watching it.
        open_workspace(path: String) -> WorkspaceInfo = |desktop| desktop.open_workspace(&path);
        /// Opens a folder or a plan file that the user chose.
        open_path(path: String) -> OpenedPath = |desktop| desktop.open_path(&path);
        /// Copies the sample program into the user's data, unless it exists, and opens it with its
        /// plan.
        open_sample() -> OpenedPath = |desktop| desktop.open_sample();
        /// Removes a folder from the list of recent folders. The folder itself isn't touched.
        forget_workspace(path: String) -> () = |desktop| desktop.forget_workspace(&path);
        /// Parses a goal while the user types.
        read_goal(workspace: Option<String>, goal: String) -> GoalReading =
            |desktop| desktop.read_goal(workspace.as_deref(), &goal);
        /// Writes a plan for a goal. May take a long time; reports progress and can be cancelled.
        make_plan(request: GoalRequest) -> PlanMade = |desktop| desktop.make_plan(request);
        /// The origin of a plan, if the plan is unchanged since it was created.
        plan_origin(plan: String) -> Option<PlanOrigin> = |desktop| desktop.plan_origin(&plan);
        /// Recreates a plan in the same file, by rules or by the model. May take a long time;
        /// reports progress and can be cancelled.
        plan_anew(request: PlanAnew) -> EditOutcome = |desktop| desktop.plan_anew(&request);
        /// Cancels planning; nothing is written.
        cancel_planning(job: String) -> () = |desktop| desktop.cancel_planning(&job);
        /// Finishes planning with the best plan found so far.
        use_what_there_is(job: String) -> () = |desktop| desktop.use_what_there_is(&job);
        /// Estimates what each effort level would take for a goal.
        forecast_efforts(workspace: String, goal: String) -> Vec<EffortForecast> =
            |desktop| desktop.forecast_efforts(&workspace, &goal);
        /// How a plan was created from a goal; `None` for other plans.
        plan_route(plan: String) -> Option<PlanRoute> = |desktop| desktop.plan_route(&plan);
        /// Statistics about the routes by which plans were created.
        route_insights() -> RouteInsights = |desktop| desktop.route_insights();
        /// Deletes the statistics of one kind of request with one model, or all of them.
        forget_routes(request: Option<String>, model: Option<String>) -> u32 =
            |desktop| desktop.forget_routes(request.as_deref(), model.as_deref());

        /// The plans of a workspace, and why some aren't listed.
        plans(workspace: String) -> PlanList = |desktop| desktop.plans(&workspace);
        /// Archives a plan, or restores it to the list. Its file isn't touched.
        archive_plan(plan: String, archived: bool) -> () = |desktop| desktop.archive_plan(&plan, archived);
        /// A plan without its tasks, at the given or the latest revision.
        outline(plan: String, revision: Option<String>) -> Outline =
            |desktop| desktop.outline(&plan, revision.as_deref());
        /// A page of outline rows.
        rows(plan: String, revision: String, from: u32, count: u32) -> RowPage =
            |desktop| desktop.rows(&plan, &revision, from, count);
        /// The rows that match a filter.
        row_runs(plan: String, revision: String, filter: RowFilter) -> RowRuns =
            |desktop| desktop.row_runs(&plan, &revision, &filter);
        /// The row index of a task.
        row_index(plan: String, revision: String, task: String) -> Option<u32> =
            |desktop| desktop.row_index(&plan, &revision, &task);
        /// One task in full.
        task(plan: String, revision: String, task: String) -> TaskDetail =
            |desktop| desktop.task(&plan, &revision, &task);
        /// One section in full.
        section(plan: String, revision: String, section: String) -> Section =
            |desktop| desktop.section(&plan, &revision, &section);
        /// An image in the workspace that a plan refers to.
        picture(plan: String, path: String) -> Picture = |desktop| desktop.picture(&plan, &path);
        /// The findings about a plan.
        findings(plan: String, revision: String) -> FindingsReport = |desktop| desktop.findings(&plan, &revision);
        /// Files in the workspace whose paths match the search words.
        find_files(workspace: String, words: String) -> Vec<String> =
            |desktop| desktop.find_files(&workspace, &words);
        /// Tasks in a plan that match the search words.
        find_tasks(plan: String, revision: String, words: String) -> Vec<TaskRef> =
            |desktop| desktop.find_tasks(&plan, &revision, &words);
        /// A self-contained hand-off brief for one step.
        brief(plan: String, revision: String, task: String) -> String =
            |desktop| desktop.brief(&plan, &revision, &task);

        /// Applies an edit to the revision that the person saw.
        edit(plan: String, revision: String, edit: Edit) -> EditOutcome =
            |desktop| desktop.edit(&plan, &revision, edit);
        /// Restores a deleted plan file with its last recorded content, and returns that revision.
        bring_back(plan: String) -> String = |desktop| desktop.bring_back(&plan);
        /// Undoes the last edit.
        undo_edit(plan: String) -> EditOutcome = |desktop| desktop.undo_edit(&plan);
        /// Redoes the edit that was undone last.
        redo_edit(plan: String) -> EditOutcome = |desktop| desktop.redo_edit(&plan);
        /// Previews an edit.
        preview_edit(plan: String, revision: String, edit: Edit) -> EditPreview =
            |desktop| desktop.preview_edit(&plan, &revision, &edit);
        /// Previews what deleting a task would affect.
        preview_delete(plan: String, revision: String, task: String) -> DeletePreview =
            |desktop| desktop.preview_delete(&plan, &revision, &task);
        /// Previews a finding's fix.
        preview_fix(plan: String, revision: String, finding: String, option: u32) -> FixPreview =
            |desktop| desktop.preview_fix(&plan, &revision, &finding, option);
        /// Applies a finding's fix.
        apply_fix(plan: String, revision: String, finding: String, option: u32) -> EditOutcome =
            |desktop| desktop.apply_fix(&plan, &revision, &finding, option);
        /// A finding's fix for a text that is being edited.
        text_fix(plan: String, text: String, finding: String, option: u32) -> TextFix =
            |desktop| desktop.text_fix(&plan, &text, &finding, option);
        /// Mutes a finding and writes the reason into the plan.
        mute(plan: String, revision: String, finding: String, reason: String) -> EditOutcome =
            |desktop| desktop.mute(&plan, &revision, &finding, &reason);
        /// Unmutes a finding.
        unmute(plan: String, revision: String, finding: String) -> EditOutcome =
            |desktop| desktop.unmute(&plan, &revision, &finding);
        /// Suggests changes that expand a plan, in a limited number of rounds. Writes nothing; can
        /// be cancelled.
        expand(plan: String, revision: String) -> ExpansionView = |desktop| desktop.expand(&plan, &revision);
        /// Cancels expanding a plan.
        cancel_expansion(plan: String) -> () = |desktop| desktop.cancel_expansion(&plan);
        /// Previews the plan with the chosen changes of an expansion.
        preview_expansion(plan: String, revision: String, chosen: Vec<String>) -> ExpansionPreview =
            |desktop| desktop.preview_expansion(&plan, &revision, &chosen);
        /// Applies the chosen changes of an expansion to the plan.
        apply_expansion(plan: String, revision: String, chosen: Vec<String>) -> EditOutcome =
            |desktop| desktop.apply_expansion(&plan, &revision, &chosen);
        /// The open question about a plan.
        plan_question(plan: String) -> Option<PlanQuestion> = |desktop| desktop.plan_question(&plan);
        /// Answers the open question by applying one of its options.
        answer_question(id: String, option: u32) -> EditOutcome =
            |desktop| desktop.answer_question(&id, option);
        /// Insights into how plans developed over time: the plans of a workspace, one plan, or all
        /// plans.
        insights(workspace: Option<String>, plan: Option<String>) -> Insights =
            |desktop| desktop.insights(workspace.as_deref(), plan.as_deref());

        /// A page of a plan's history before `before`, newest entry first.
        history(plan: String, before: Option<i64>, count: u32) -> HistoryPage =
            |desktop| desktop.history(&plan, before, count);
        /// Compares two revisions.
        compare(plan: String, from: String, to: String) -> Comparison =
            |desktop| desktop.compare(&plan, &from, &to);
        /// Restores the content of a revision as a new entry in the plan's history.
        restore(plan: String, seen: String, revision: String) -> EditOutcome =
            |desktop| desktop.restore(&plan, &seen, &revision);
        /// Unresolved conflicts, oldest first.
        conflicts(plan: String) -> Vec<PlanConflict> = |desktop| desktop.conflicts(&plan);
        /// Resolves a conflict.
        resolve_conflict(plan: String, id: i64, choice: ConflictChoice) -> EditOutcome =
            |desktop| desktop.resolve_conflict(&plan, id, choice);
        /// Resolves conflicts about a text after the person chose one of its versions elsewhere,
        /// and returns how many.
        settle_conflicts(plan: String, choice: ConflictChoice, decided: DecidedLines) -> u32 =
            |desktop| desktop.settle_conflicts(&plan, choice, &decided);

        /// The graph of a revision's tasks and dependencies, with its layout.
        graph(plan: String, revision: String) -> GraphView = |desktop| desktop.graph(&plan, &revision);
        /// A plan's source text, at the given or the latest revision.
        source(plan: String, revision: Option<String>) -> SourceView =
            |desktop| desktop.source(&plan, revision.as_deref());
        /// Checks a text as a plan while the user types.
        check_text(plan: String, text: String) -> TextReport = |desktop| desktop.check_text(&plan, &text);
        /// Saves a text that is based on a revision, merged with later changes by others.
        save_text(plan: String, revision: String, text: String) -> EditOutcome =
            |desktop| desktop.save_text(&plan, &revision, &text);
        /// Commands known in the workspace, for completion.
        known_commands(workspace: String) -> Vec<String> = |desktop| desktop.known_commands(&workspace);
        /// Lines in the workspace's plans that contain all the words.
        search_plans(workspace: String, words: String) -> Vec<SearchHit> =
            |desktop| desktop.search_plans(&workspace, &words);
        /// Copies a plan from elsewhere into the workspace's plan folder.
        copy_plan(plan: String, workspace: String) -> PlanSummary =
            |desktop| desktop.copy_plan(&plan, &workspace);

        /// The drafts for a plan. For the path of a workspace, returns the draft of a goal there.
        drafts(plan: String) -> Vec<Draft> = |desktop| desktop.drafts(&plan);
        /// Saves a draft; empty text deletes it.
        save_draft(plan: String, key: String, text: String, revision: Option<String>) -> () =
            |desktop| desktop.save_draft(&plan, &key, &text, revision.as_deref());
        /// A plan's comments, including sent ones.
        comments(plan: String) -> Vec<Comment> = |desktop| desktop.comments(&plan);
        /// Adds a comment; `kind` is `comment` or `replace`.
        add_comment(plan: String, revision: String, place: CommentPlace, kind: String, text: String) -> Comment =
            |desktop| desktop.add_comment(&plan, &revision, &place, &kind, &text);
        /// Edits an unsent comment.
        edit_comment(plan: String, id: i64, text: String) -> () = |desktop| desktop.edit_comment(&plan, id, &text);
        /// Resolves or reopens a comment.
        resolve_comment(plan: String, id: i64, resolved: bool) -> () =
            |desktop| desktop.resolve_comment(&plan, id, resolved);
        /// Applies the change suggested by a `replace` comment, and resolves it.
        accept_comment(plan: String, revision: String, id: i64) -> EditOutcome =
            |desktop| desktop.accept_comment(&plan, &revision, id);
        /// Deletes an unsent comment.
        delete_comment(plan: String, id: i64) -> () = |desktop| desktop.delete_comment(&plan, id);
        /// Requests the changes in the comments and marks the plan “changes requested”; returns the
        /// number of waiting agents that received the request.
        request_changes(plan: String, revision: String, text: String, reviser: Reviser) -> u32 =
            |desktop| desktop.request_changes(&plan, &revision, &text, reviser);
        /// Has an agent revise a plan according to the unsent comments. May take a long time;
        /// reports progress and can be cancelled.
        revise_with_agent(request: RevisionRequest) -> PlanRevised =
            |desktop| desktop.revise_with_agent(&request);
        /// The newest review of a plan for which another agent is waiting.
        waiting_review(plan: String) -> Option<WaitingReview> = |desktop| desktop.waiting_review(&plan);

        /// The most recent conversation about a plan.
        talk_of(plan: String) -> Option<TalkView> = |desktop| desktop.talk_of(&plan);
        /// A summary of a conversation.
        talk(session: String) -> TalkView = |desktop| desktop.talk(&session);
        /// Conversations in a workspace whose plan isn't written yet.
        talks(workspace: String) -> Vec<TalkSummary> = |desktop| desktop.talks(&workspace);
        /// A page of a conversation's rows.
        talk_rows(session: String, from: u32, count: u32) -> TalkPage =
            |desktop| desktop.talk_rows(&session, from, count);
        /// The reply being streamed, which has no row yet.
        talk_live(session: String) -> TalkLive = |desktop| desktop.talk_live(&session);
        /// One tool call of a conversation in full.
        talk_call(session: String, call: String) -> TalkCall = |desktop| desktop.talk_call(&session, &call);
        /// The text of a proposed plan.
        talk_proposal(session: String, row: u32) -> TalkProposal =
            |desktop| desktop.talk_proposal(&session, row);
        /// Starts a conversation with its first message and returns its session.
        begin_talk(request: TalkRequest) -> String = |desktop| desktop.begin_talk(request);
        /// Sends a message to a conversation, or answers its question.
        say(session: String, input: TalkInput) -> () = |desktop| desktop.say(&session, input);
        /// Stops a conversation's current turn.
        stop_talk(session: String) -> () = |desktop| desktop.stop_talk(&session);

        /// Shows what approving this revision would allow to run.
        approval(plan: String, revision: String, upto: Option<String>) -> ApprovalView =
            |desktop| desktop.approval(&plan, &revision, upto.as_deref());
        /// Previews the plan with notes under its steps.
        preview_notes(plan: String, revision: String, notes: Vec<StepNote>) -> NotesPreview =
            |desktop| desktop.preview_notes(&plan, &revision, notes);
        /// Approves a plan, and starts a run if requested.
        approve(request: ApproveRequest) -> Approved = |desktop| desktop.approve(request);

        /// A summary of a run.
        run(run: String) -> RunView = |desktop| desktop.run(&run);
        /// One step of a run in full.
        run_step(run: String, task: String) -> RunStep = |desktop| desktop.run_step(&run, &task);
        /// The runs of a plan, newest first, at most 50.
        runs_of(plan: String) -> Vec<RunView> = |desktop| desktop.runs_of(&plan);
        /// Answers a run's question.
        answer(request: AnswerRequest) -> () = |desktop| desktop.answer(request);
        /// Pauses, resumes or cancels a run, or skips, retries or recovers one of its steps.
        steer(run: String, steering: Steering) -> () = |desktop| desktop.steer(&run, steering);
        /// The receipt of a run.
        receipt(run: String) -> ReceiptView = |desktop| desktop.receipt(&run);
        /// Everything that needs a person's answer, across all plans, oldest first.
        inbox() -> Vec<InboxItem> = |desktop| desktop.inbox();

        /// The changes of a step, or of the whole run.
        changes(run: String, task: Option<String>) -> ChangesView =
            |desktop| desktop.changes(&run, task.as_deref());
        /// The diff of one file.
        file_diff(run: String, task: Option<String>, path: String) -> FileDiff =
            |desktop| desktop.file_diff(&run, task.as_deref(), &path);
        /// Undoes changes to one file, of a step, or of the whole run.
        undo_changes(run: String, task: Option<String>, path: Option<String>) -> UndoReport =
            |desktop| desktop.undo_changes(&run, task.as_deref(), path.as_deref());

        /// The effective settings.
        settings(workspace: Option<String>) -> SettingsView = |desktop| desktop.settings(workspace.as_deref());
        /// Writes one key of the user's settings; `None` removes it.
        set_setting(key: String, value: Option<String>) -> () =
            |desktop| desktop.set_setting(&key, value.as_deref());
        /// Revokes a permission rule.
        revoke_rule(id: String) -> () = |desktop| desktop.revoke_rule(&id);
        /// The configured models and what is known about them.
        models() -> ModelsView = |desktop| desktop.models();
        /// Whether the active model's key is available. May wait for the keyring.
        model_key() -> ModelKeyView = |desktop| desktop.model_key();
        /// Finds model servers on this machine. Takes a second or two.
        find_models() -> Vec<ServerFound> = |desktop| desktop.find_models();
        /// Lists a server's models.
        server_models(base_url: String, key_variable: Option<String>) -> ServerModels =
            |desktop| desktop.server_models(&base_url, key_variable.as_deref());
        /// Makes a model the active one and probes it in the background; `None` removes it.
        choose_model(choice: Option<ModelChoice>) -> () = |desktop| desktop.choose_model(choice);
        /// Stores a key in the keyring, or in memory until the program ends.
        keep_model_key(variable: String, key: String, in_keyring: bool) -> () =
            |desktop| desktop.keep_model_key(&variable, &key, in_keyring);
        /// Deletes a key.
        forget_model_key(variable: String) -> () = |desktop| desktop.forget_model_key(&variable);
        /// Tests the connection to the active model. May take minutes; can be cancelled.
        try_model() -> ConnectionTrial = |desktop| desktop.try_model();
        /// Probes the active model in the background.
        probe_model() -> () = |desktop| desktop.probe_model();
        /// The running job of the active model.
        model_job() -> Option<ModelJob> = |desktop| Ok(desktop.model_job());
        /// Cancels the running job; what a probe has found so far is kept.
        cancel_model_job() -> () = |desktop| {
            desktop.cancel_model_job();
            Ok(())
        };
        /// Overrides one value in the profile, given as JSON; `None` removes the override.
        overrule_model(name: String, value: Option<String>) -> () =
            |desktop| desktop.overrule_model(&name, value.as_deref());
        /// Deletes the probe results and reply statistics of the active model.
        forget_model() -> () = |desktop| desktop.forget_model();
        /// A workspace's templates.
        templates(workspace: Option<String>) -> Vec<TemplateView> =
            |desktop| desktop.templates(workspace.as_deref());
        /// The text of one template.
        template(workspace: Option<String>, name: String) -> TemplateText =
            |desktop| desktop.template(workspace.as_deref(), &name);
    ]
}

#[cfg(test)]
mod tests;

//! Everything a window can ask, each listed once in `commands!` below.
//!
//! Questions to the workbench are one line each: name, arguments, answer, and the method of
//! [`desktop::Desktop`] that has it. `window` holds what concerns the window itself.

mod window;

use tauri::State;
use tauri_specta::{Builder, ErrorHandlingMode, collect_commands, collect_events};
use workbench::UndoReport;
use desktop::wire::*;

use crate::events::{DeskEvent, ShellEvent};
use crate::host::{Answer, Host};

/// Makes a command of each line, and the list of all.
macro_rules! commands {
    (
        window: [$($window:ident),* $(,)?]
        workbench: [$(
            $(#[$doc:meta])*
            $name:ident($($argument:ident: $type:ty),*) -> $answer:ty = |$desktop:ident| $call:expr;
        )*]
    ) => {
        $(
            $(#[$doc])*
            #[tauri::command]
            #[specta::specta]
            #[allow(clippy::too_many_arguments, reason = "the arguments of the method")]
            pub(crate) async fn $name(host: State<'_, Host>, $($argument: $type),*) -> Answer<$answer> {
                host.ask(move |$desktop| $call).await
            }
        )*

        /// The commands and events of this program, as the page knows them.
        pub(crate) fn listed() -> Builder<tauri::Wry> {
            Builder::new()
                .commands(collect_commands![$(window::$window,)* $($name),*])
                .events(collect_events![DeskEvent, ShellEvent])
                .error_handling(ErrorHandlingMode::Result)
                .dangerously_cast_bigints_to_number()
                .disable_serde_phases()
        }
    };
}

commands! {
    window: [
        start, save_place, window_info, take_path, new_window, set_title, set_zoom, close_window, answer_close,
        quit, pick_folder, pick_plan, open_link, show_in_folder, report_fault,
    ]
    workbench: [
        /// Opens a folder as a workspace and watches it.
        open_workspace(path: String) -> WorkspaceInfo = |desktop| desktop.open_workspace(&path);
        /// Opens what a person named: a folder, or a plan file in one.
        open_path(path: String) -> OpenedPath = |desktop| desktop.open_path(&path);
        /// Copies the sample program into the user's data, once, and opens it.
        open_sample() -> WorkspaceInfo = |desktop| desktop.open_sample();
        /// Takes a folder off the recent ones. The folder itself is left alone.
        forget_workspace(path: String) -> () = |desktop| desktop.forget_workspace(&path);
        /// Reads a goal as it is typed.
        read_goal(workspace: Option<String>, goal: String) -> GoalReading =
            |desktop| desktop.read_goal(workspace.as_deref(), &goal);
        /// Writes a plan for a goal. Can take long; tells of itself, can be cancelled.
        make_plan(request: GoalRequest) -> PlanMade = |desktop| desktop.make_plan(request);
        /// What a plan was made from, while it is still as it was made.
        plan_origin(plan: String) -> Option<PlanOrigin> = |desktop| desktop.plan_origin(&plan);
        /// Makes a plan anew in the same place, by rules or by the model. Can take long; tells of itself,
        /// can be cancelled.
        plan_anew(request: PlanAnew) -> EditOutcome = |desktop| desktop.plan_anew(&request);
        /// Cancels planning; nothing was written then.
        cancel_planning(job: String) -> () = |desktop| desktop.cancel_planning(&job);
        /// Ends planning with the best plan that there is by now.
        use_what_there_is(job: String) -> () = |desktop| desktop.use_what_there_is(&job);
        /// What each effort would take for a goal.
        forecast_efforts(workspace: String, goal: String) -> Vec<EffortForecast> =
            |desktop| desktop.forecast_efforts(&workspace, &goal);
        /// How a plan came to be that was made for a goal; none for others.
        plan_route(plan: String) -> Option<PlanRoute> = |desktop| desktop.plan_route(&plan);
        /// What was learned of the ways in which plans are made.
        route_insights() -> RouteInsights = |desktop| desktop.route_insights();
        /// Forgets what was learned: of one kind of request with one model, or all.
        forget_routes(request: Option<String>, model: Option<String>) -> u32 =
            |desktop| desktop.forget_routes(request.as_deref(), model.as_deref());

        /// The plans of a workspace, and what the list leaves out.
        plans(workspace: String) -> PlanList = |desktop| desktop.plans(&workspace);
        /// A plan without its tasks; of the newest revision unless one is named.
        outline(plan: String, revision: Option<String>) -> Outline =
            |desktop| desktop.outline(&plan, revision.as_deref());
        /// Some rows of the outline.
        rows(plan: String, revision: String, from: u32, count: u32) -> RowPage =
            |desktop| desktop.rows(&plan, &revision, from, count);
        /// The rows that a filter leaves.
        row_runs(plan: String, revision: String, filter: RowFilter) -> RowRuns =
            |desktop| desktop.row_runs(&plan, &revision, &filter);
        /// Where a task stands in the outline.
        row_index(plan: String, revision: String, task: String) -> Option<u32> =
            |desktop| desktop.row_index(&plan, &revision, &task);
        /// One task, whole.
        task(plan: String, revision: String, task: String) -> TaskDetail =
            |desktop| desktop.task(&plan, &revision, &task);
        /// One section, whole.
        section(plan: String, revision: String, section: String) -> Section =
            |desktop| desktop.section(&plan, &revision, &section);
        /// A picture of the workspace that a plan's prose names.
        picture(plan: String, path: String) -> Picture = |desktop| desktop.picture(&plan, &path);
        /// What was found about a plan.
        findings(plan: String, revision: String) -> FindingsReport = |desktop| desktop.findings(&plan, &revision);
        /// Files of the workspace that fit some words.
        find_files(workspace: String, words: String) -> Vec<String> =
            |desktop| desktop.find_files(&workspace, &words);
        /// Tasks of a plan that fit some words.
        find_tasks(plan: String, revision: String, words: String) -> Vec<TaskRef> =
            |desktop| desktop.find_tasks(&plan, &revision, &words);
        /// A step as a brief that stands on its own, to hand over.
        brief(plan: String, revision: String, task: String) -> String =
            |desktop| desktop.brief(&plan, &revision, &task);

        /// Makes one change, on the revision that the person saw.
        edit(plan: String, revision: String, edit: Edit) -> EditOutcome =
            |desktop| desktop.edit(&plan, &revision, edit);
        /// Writes a plan whose file is gone again, as it was seen last; answers with its revision.
        bring_back(plan: String) -> String = |desktop| desktop.bring_back(&plan);
        /// Takes the last edit back.
        undo_edit(plan: String) -> EditOutcome = |desktop| desktop.undo_edit(&plan);
        /// Makes the edit again that was taken back last.
        redo_edit(plan: String) -> EditOutcome = |desktop| desktop.redo_edit(&plan);
        /// What an edit would change.
        preview_edit(plan: String, revision: String, edit: Edit) -> EditPreview =
            |desktop| desktop.preview_edit(&plan, &revision, &edit);
        /// What deleting a task would take along.
        preview_delete(plan: String, revision: String, task: String) -> DeletePreview =
            |desktop| desktop.preview_delete(&plan, &revision, &task);
        /// What a finding's fix would change.
        preview_fix(plan: String, revision: String, finding: String, option: u32) -> FixPreview =
            |desktop| desktop.preview_fix(&plan, &revision, &finding, option);
        /// Applies a finding's fix.
        apply_fix(plan: String, revision: String, finding: String, option: u32) -> EditOutcome =
            |desktop| desktop.apply_fix(&plan, &revision, &finding, option);
        /// A finding's fix in a text that is being typed.
        text_fix(plan: String, text: String, finding: String, option: u32) -> TextFix =
            |desktop| desktop.text_fix(&plan, &text, &finding, option);
        /// Mutes a finding with a reason, which is written into the plan.
        mute(plan: String, revision: String, finding: String, reason: String) -> EditOutcome =
            |desktop| desktop.mute(&plan, &revision, &finding, &reason);
        /// Takes the muting of a finding back.
        unmute(plan: String, revision: String, finding: String) -> EditOutcome =
            |desktop| desktop.unmute(&plan, &revision, &finding);
        /// Makes a plan fuller in bounded rounds. Nothing is written; can be cancelled.
        expand(plan: String, revision: String) -> ExpansionView = |desktop| desktop.expand(&plan, &revision);
        /// Stops making a plan fuller.
        cancel_expansion(plan: String) -> () = |desktop| desktop.cancel_expansion(&plan);
        /// What the chosen changes of an expansion make of the plan.
        preview_expansion(plan: String, revision: String, chosen: Vec<String>) -> ExpansionPreview =
            |desktop| desktop.preview_expansion(&plan, &revision, &chosen);
        /// Takes the chosen changes of an expansion into the plan.
        apply_expansion(plan: String, revision: String, chosen: Vec<String>) -> EditOutcome =
            |desktop| desktop.apply_expansion(&plan, &revision, &chosen);
        /// The question that is open about a plan.
        plan_question(plan: String) -> Option<PlanQuestion> = |desktop| desktop.plan_question(&plan);
        /// Answers the open question by what one of its options says.
        answer_question(id: String, option: u32) -> EditOutcome =
            |desktop| desktop.answer_question(&id, option);
        /// How plans fared: of a workspace, of one plan, or all.
        insights(workspace: Option<String>, plan: Option<String>) -> Insights =
            |desktop| desktop.insights(workspace.as_deref(), plan.as_deref());

        /// A page of a plan's history, from the newest entry before `before` on.
        history(plan: String, before: Option<i64>, count: u32) -> HistoryPage =
            |desktop| desktop.history(&plan, before, count);
        /// What changed between two revisions.
        compare(plan: String, from: String, to: String) -> Comparison =
            |desktop| desktop.compare(&plan, &from, &to);
        /// Gives the plan the content of a revision again, as a new entry of its history.
        restore(plan: String, seen: String, revision: String) -> EditOutcome =
            |desktop| desktop.restore(&plan, &seen, &revision);
        /// Conflicts that wait for the person, the oldest first.
        conflicts(plan: String) -> Vec<PlanConflict> = |desktop| desktop.conflicts(&plan);
        /// Settles a conflict.
        resolve_conflict(plan: String, id: i64, choice: ConflictChoice) -> EditOutcome =
            |desktop| desktop.resolve_conflict(&plan, id, choice);

        /// The tasks of a revision and what they wait for, laid out.
        graph(plan: String, revision: String) -> GraphView = |desktop| desktop.graph(&plan, &revision);
        /// The text of a plan; of the newest revision unless one is named.
        source(plan: String, revision: Option<String>) -> SourceView =
            |desktop| desktop.source(&plan, revision.as_deref());
        /// What a text would be as a plan, while it is being typed.
        check_text(plan: String, text: String) -> TextReport = |desktop| desktop.check_text(&plan, &text);
        /// Saves a text that was made from a revision.
        save_text(plan: String, revision: String, text: String) -> EditOutcome =
            |desktop| desktop.save_text(&plan, &revision, &text);
        /// Commands that the workspace knows, for completion.
        known_commands(workspace: String) -> Vec<String> = |desktop| desktop.known_commands(&workspace);
        /// Lines of the workspace's plans that have all the words.
        search_plans(workspace: String, words: String) -> Vec<SearchHit> =
            |desktop| desktop.search_plans(&workspace, &words);
        /// Copies a plan that lies elsewhere into the workspace's plan folder.
        copy_plan(plan: String, workspace: String) -> PlanSummary =
            |desktop| desktop.copy_plan(&plan, &workspace);

        /// What was being typed about a plan; a workspace's path gives its goal.
        drafts(plan: String) -> Vec<Draft> = |desktop| desktop.drafts(&plan);
        /// Keeps what is being typed; empty text drops it.
        save_draft(plan: String, key: String, text: String, revision: Option<String>) -> () =
            |desktop| desktop.save_draft(&plan, &key, &text, revision.as_deref());
        /// The comments of a plan, sent ones too.
        comments(plan: String) -> Vec<Comment> = |desktop| desktop.comments(&plan);
        /// Adds a comment; `kind` is `comment` or `replace`.
        add_comment(plan: String, revision: String, place: CommentPlace, kind: String, text: String) -> Comment =
            |desktop| desktop.add_comment(&plan, &revision, &place, &kind, &text);
        /// Changes the words of a comment that was not sent.
        edit_comment(plan: String, id: i64, text: String) -> () = |desktop| desktop.edit_comment(&plan, id, &text);
        /// Settles a comment, or opens it again.
        resolve_comment(plan: String, id: i64, resolved: bool) -> () =
            |desktop| desktop.resolve_comment(&plan, id, resolved);
        /// Makes the change that a `replace` comment asks for, and settles it.
        accept_comment(plan: String, revision: String, id: i64) -> EditOutcome =
            |desktop| desktop.accept_comment(&plan, &revision, id);
        /// Deletes a comment that was not sent.
        delete_comment(plan: String, id: i64) -> () = |desktop| desktop.delete_comment(&plan, id);
        /// Sends the comments: the plan is marked “changes requested”.
        request_changes(plan: String, revision: String, text: String) -> () =
            |desktop| desktop.request_changes(&plan, &revision, &text);

        /// The conversation about a plan, the one gone on with last.
        talk_of(plan: String) -> Option<TalkView> = |desktop| desktop.talk_of(&plan);
        /// A conversation.
        talk(session: String) -> TalkView = |desktop| desktop.talk(&session);
        /// The conversations of a workspace whose plan is not written yet.
        talks(workspace: String) -> Vec<TalkSummary> = |desktop| desktop.talks(&workspace);
        /// Some rows of a conversation.
        talk_rows(session: String, from: u32, count: u32) -> TalkPage =
            |desktop| desktop.talk_rows(&session, from, count);
        /// What is being said and is no row yet.
        talk_live(session: String) -> TalkLive = |desktop| desktop.talk_live(&session);
        /// A call of a conversation, whole.
        talk_call(session: String, call: String) -> TalkCall = |desktop| desktop.talk_call(&session, &call);
        /// The text of the plan that a row offers, as it was offered.
        talk_proposal(session: String, row: u32) -> TalkProposal =
            |desktop| desktop.talk_proposal(&session, row);
        /// Begins a conversation and says the first thing; answers with its session.
        begin_talk(request: TalkRequest) -> String = |desktop| desktop.begin_talk(request);
        /// Says something in a conversation, or answers what it asks.
        say(session: String, input: TalkInput) -> () = |desktop| desktop.say(&session, input);
        /// Stops what a conversation does.
        stop_talk(session: String) -> () = |desktop| desktop.stop_talk(&session);

        /// What an approval of this revision would let run.
        approval(plan: String, revision: String, upto: Option<String>) -> ApprovalView =
            |desktop| desktop.approval(&plan, &revision, upto.as_deref());
        /// What the plan would read like with notes under its steps.
        preview_notes(plan: String, revision: String, notes: Vec<StepNote>) -> NotesPreview =
            |desktop| desktop.preview_notes(&plan, &revision, notes);
        /// Approves, and starts the run if asked.
        approve(request: ApproveRequest) -> Approved = |desktop| desktop.approve(request);

        /// A run at a glance.
        run(run: String) -> RunView = |desktop| desktop.run(&run);
        /// One step of a run, whole.
        run_step(run: String, task: String) -> RunStep = |desktop| desktop.run_step(&run, &task);
        /// The runs of a plan, the newest first, at most 50.
        runs_of(plan: String) -> Vec<RunView> = |desktop| desktop.runs_of(&plan);
        /// Answers what a run asks.
        answer(request: AnswerRequest) -> () = |desktop| desktop.answer(request);
        /// Steers a run.
        steer(run: String, steering: Steering) -> () = |desktop| desktop.steer(&run, steering);
        /// The receipt of a run.
        receipt(run: String) -> ReceiptView = |desktop| desktop.receipt(&run);
        /// Everything that waits for a person, of all plans, the oldest first.
        inbox() -> Vec<InboxItem> = |desktop| desktop.inbox();

        /// The changes of a step, or of the whole run.
        changes(run: String, task: Option<String>) -> ChangesView =
            |desktop| desktop.changes(&run, task.as_deref());
        /// The diff of one file.
        file_diff(run: String, task: Option<String>, path: String) -> FileDiff =
            |desktop| desktop.file_diff(&run, task.as_deref(), &path);
        /// Takes changes back: of one file, of a step, or of the whole run.
        undo_changes(run: String, task: Option<String>, path: Option<String>) -> UndoReport =
            |desktop| desktop.undo_changes(&run, task.as_deref(), path.as_deref());

        /// The settings in force.
        settings(workspace: Option<String>) -> SettingsView = |desktop| desktop.settings(workspace.as_deref());
        /// Writes one key of the user's settings; `None` takes it out.
        set_setting(key: String, value: Option<String>) -> () =
            |desktop| desktop.set_setting(&key, value.as_deref());
        /// Takes a permission rule back.
        revoke_rule(id: String) -> () = |desktop| desktop.revoke_rule(&id);
        /// Which model is configured, and what is known of it.
        models() -> ModelsView = |desktop| desktop.models();
        /// Whether the key of the model in force is there. May wait for the keyring.
        model_key() -> ModelKeyView = |desktop| desktop.model_key();
        /// The model servers that answer on this machine. Takes a second or two.
        find_models() -> Vec<ServerFound> = |desktop| desktop.find_models();
        /// The models that a server lists.
        server_models(base_url: String, key_variable: Option<String>) -> ServerModels =
            |desktop| desktop.server_models(&base_url, key_variable.as_deref());
        /// Makes a model the one to ask, and has it probed in the background; `None` takes it out.
        choose_model(choice: Option<ModelChoice>) -> () = |desktop| desktop.choose_model(choice);
        /// Keeps a key: in the keyring, or only until the program ends.
        keep_model_key(variable: String, key: String, in_keyring: bool) -> () =
            |desktop| desktop.keep_model_key(&variable, &key, in_keyring);
        /// Forgets a key.
        forget_model_key(variable: String) -> () = |desktop| desktop.forget_model_key(&variable);
        /// Tries the connection to the model in force. Can take minutes; can be cancelled.
        try_model() -> ConnectionTrial = |desktop| desktop.try_model();
        /// Probes the model in force in the background.
        probe_model() -> () = |desktop| desktop.probe_model();
        /// What is under way with the model in force.
        model_job() -> Option<ModelJob> = |desktop| Ok(desktop.model_job());
        /// Ends it; what a probe found until then is kept.
        cancel_model_job() -> () = |desktop| {
            desktop.cancel_model_job();
            Ok(())
        };
        /// Sets one value of the profile, as JSON; `None` takes the person's word back.
        overrule_model(name: String, value: Option<String>) -> () =
            |desktop| desktop.overrule_model(&name, value.as_deref());
        /// Forgets what probe and use showed of the model in force.
        forget_model() -> () = |desktop| desktop.forget_model();
        /// The templates of a workspace.
        templates(workspace: Option<String>) -> Vec<TemplateView> =
            |desktop| desktop.templates(workspace.as_deref());
        /// The text of one template.
        template(workspace: Option<String>, name: String) -> TemplateText =
            |desktop| desktop.template(workspace.as_deref(), &name);
    ]
}

#[cfg(test)]
mod tests;

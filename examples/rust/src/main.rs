//! A fork of two: one child solves the task, the other does nothing, and both are verified.

use drums_api::apis::{configuration::Configuration, slots_api, tasks_api, Error};
use drums_api::models::{execute_action, Action, BranchRequest, CreateSlotRequest, ExecuteAction, StepRequest};
use serde_json::{json, Value};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

const TASK: &str = "e0df059f-28a6-4169-924f-b9623e7184cc";
const SOLUTION: &str = "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2";

fn connect() -> Configuration {
    Configuration {
        base_path: std::env::var("DRUMS_URL").unwrap_or("http://127.0.0.1:7070".to_owned()),
        bearer_access_token: std::env::var("DRUMS_TOKEN").ok(),
        ..Configuration::default()
    }
}

async fn create(drums: &Configuration, ids: &mut Vec<String>) -> Fallible<String> {
    let mut request = CreateSlotRequest::new("osworld-ubuntu".to_owned());
    request.task = Some(Some(Box::new(tasks_api::get_task(drums, TASK).await?)));
    let slot = slots_api::create_slot(drums, request).await?;
    ids.push(slot.id.clone());
    match slot.state.as_str() {
        "ready" => Ok(slot.id),
        _ => Err(format!("the desktop did not come up: {:?}", slot.last_error).into()),
    }
}

async fn execute(drums: &Configuration, id: &str, command: Value, shell: bool) -> Fallible<()> {
    let mut action = ExecuteAction::new(execute_action::Type::Execute, Some(command));
    action.shell = Some(shell);
    let request = StepRequest::new(Action::ExecuteAction(Box::new(action)));
    let result = slots_api::step_slot(drums, id, request).await?.result;
    match result.returncode.flatten() {
        Some(0) => Ok(()),
        _ => Err(format!("a command failed: {:?}", result.error).into()),
    }
}

async fn screenshot(drums: &Configuration, id: &str) -> Fallible<(u32, u32)> {
    let png = slots_api::get_screenshot(drums, id).await?.bytes().await?;
    let number = |at: usize| -> Fallible<u32> {
        let bytes = png.get(at..at + 4).ok_or("no picture")?;
        Ok(u32::from_be_bytes(bytes.try_into()?))
    };
    Ok((number(16)?, number(20)?))
}

async fn fork(drums: &Configuration, id: &str, n: i32, ids: &mut Vec<String>) -> Fallible<()> {
    let mut request = BranchRequest::new(n);
    request.delete_state_with_children = Some(true);
    for child in slots_api::branch_slot(drums, id, request).await?.children {
        if let Some(why) = child.error.flatten() {
            return Err(format!("a child did not come up: {why}").into());
        }
        ids.push(child.id.flatten().ok_or("a child has no id")?);
    }
    Ok(())
}

async fn score(drums: &Configuration, id: &str) -> Fallible<f64> {
    let reward = slots_api::verify_slot(drums, id, Some(json!({}))).await?;
    match reward.score.flatten() {
        Some(score) if reward.valid => Ok(score),
        _ => Err(format!("no usable reward: {:?}", reward.invalid_reasons).into()),
    }
}

async fn sizes_of_pages(drums: &Configuration, ids: &[String], limit: i32) -> Fallible<Vec<String>> {
    let mut sizes = Vec::new();
    let mut after: Option<String> = None;
    loop {
        let page = slots_api::list_slots(drums, Some(limit), after.as_deref(), None).await?;
        let size = page.items.iter().filter(|slot| ids.contains(&slot.id)).count();
        if size > 0 {
            sizes.push(size.to_string());
        }
        after = page.next_after;
        if after.is_none() {
            return Ok(sizes);
        }
    }
}

/// The status and the server's code of a call that is refused.
async fn refusal(drums: &Configuration, id: &str) -> Fallible<String> {
    match slots_api::get_slot(drums, id).await {
        Err(Error::ResponseError(refused)) => {
            let said: Value = serde_json::from_str(&refused.content)?;
            Ok(format!("{} {}", refused.status.as_u16(), said["code"].as_str().unwrap_or("without a code")))
        }
        Err(other) => Err(other.into()),
        Ok(_) => Err("nothing was refused".into()),
    }
}

async fn run(drums: &Configuration, ids: &mut Vec<String>) -> Fallible<()> {
    let parent = create(drums, ids).await?;
    execute(drums, &parent, json!(["ls", "/home/user/Desktop"]), false).await?;
    let (width, height) = screenshot(drums, &parent).await?;
    println!("screen {width} x {height}");
    fork(drums, &parent, 2, ids).await?;
    execute(drums, &ids[1], json!(SOLUTION), true).await?;
    let mut scores = Vec::new();
    for id in ids.iter() {
        scores.push(score(drums, id).await?.to_string());
    }
    println!("scores {}", scores.join(" "));
    println!("no such desktop: {}", refusal(drums, "no-such-desktop").await?);
    println!("pages of 2: {}", sizes_of_pages(drums, ids, 2).await?.join(" "));
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Fallible<()> {
    let drums = connect();
    let mut ids = Vec::new();
    let outcome = run(&drums, &mut ids).await;
    for id in &ids {
        slots_api::delete_slot(&drums, id).await?;
    }
    println!("closed {}", ids.len());
    outcome
}
